#!/usr/bin/env bash
# Install the evaluator as it is in this very checkout of the action: pinned by hash, with nothing built, and apart from
# whatever the app itself is installed in.
set -euo pipefail

environment=$RUNNER_TEMP/quota-constructs/venv

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "quota-constructs: python3 must be 3.11 or newer; put actions/setup-python before this action" >&2
    exit 2
fi
python3 -m venv "$environment"
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
    --require-hashes --requirement "$ACTION_PATH/requirements/runtime.txt"
packages=$("$environment/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
printf '%s\n' "$ACTION_PATH" >"$packages/quota-constructs.pth"
"$environment/bin/python" -I -m quota_constructs --version

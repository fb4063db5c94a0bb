#!/usr/bin/env bash
# Review the head against the base: print it, and write the comment, the step summary, SARIF and JSON.
#
# In:  BASE, HEAD   the two assemblies
#      COMMIT       what the base was synthesized of, by which it is called: its path is the runner's
#      INSTALLED    true if install.sh has run; otherwise `quota-constructs` is taken from PATH
#      TRACES       contention traces, one a line, from the root of the repository
#      OPTIONS      more options of `quota-constructs review`, one a line
#      FAIL_ON      how grave a new finding fails the review
#      GITHUB_OUTPUT, GITHUB_STEP_SUMMARY, RUNNER_TEMP  as the runner sets them
# Out: comment, sarif, json  files; verdict, changed, exit-code
set -euo pipefail

work=$RUNNER_TEMP/quota-constructs
python=python3
command=(quota-constructs)
if [[ $INSTALLED == true ]]; then
    python=$work/venv/bin/python
    command=("$python" -I -m quota_constructs)
fi

arguments=(--base="$BASE" --base-name="${HEAD#./} at ${COMMIT:0:12}" --head="$HEAD" --fail-on="$FAIL_ON")
while IFS= read -r line; do
    [[ -z $line ]] || arguments+=(--trace="$line")
done <<<"$TRACES"
while IFS= read -r line; do
    [[ -z $line ]] || arguments+=("$line")
done <<<"$OPTIONS"
for format in markdown=comment.md sarif=review.sarif json=review.json; do
    arguments+=(--output="${format%%=*}=$work/${format#*=}")
done

# What is printed has names from templates and traces in it. Between these two lines the runner obeys none of them.
cd -- "$(git rev-parse --show-toplevel)"
token=$("$python" -c 'import secrets; print(secrets.token_hex(16))')
status=0
printf '::stop-commands::%s\n' "$token"
"${command[@]}" review "${arguments[@]}" 2>&1 || status=$?
printf '::%s::\n' "$token"
if [[ $status -gt 1 ]]; then
    exit "$status"
fi

if [[ -n ${GITHUB_STEP_SUMMARY:-} ]]; then
    cat -- "$work/comment.md" >>"$GITHUB_STEP_SUMMARY"
fi
verdict=$("$python" -I -X utf8 -c \
    'import json, sys; print(*json.load(open(sys.argv[1], "rb"))["verdict"]["line"].split())' "$work/review.json")
{
    printf 'comment=%s\n' "$work/comment.md"
    printf 'sarif=%s\n' "$work/review.sarif"
    printf 'json=%s\n' "$work/review.json"
    printf 'verdict=%s\n' "$verdict"
    printf 'changed=%s\n' "$([[ $verdict == 'No policy change.' ]] && echo false || echo true)"
    printf 'exit-code=%s\n' "$status"
} >>"$GITHUB_OUTPUT"

#!/usr/bin/env bash
# Synthesize the app twice, as it is in the checkout (the head) and as it was in the commit that it is compared with.
#
# In:  SYNTH              the command, run by bash in the app's folder of either side
#      CDK_OUT            the folder that it writes, from there
#      WORKING_DIRECTORY  the app's folder, from the root of the repository
#      BASE_REF           the commit to compare with; empty for what a pull request is merged into
#      EVENT_BASE         what the event says of that
#      GITHUB_REF, GITHUB_SHA, GITHUB_OUTPUT, RUNNER_TEMP  as the runner sets them
# Out: base, head         the two assemblies
#      commit             what the base was synthesized of
set -euo pipefail
shopt -s inherit_errexit

fail() {
    printf 'quota-constructs: %s\n' "${1//[$'\r\n']/ }" >&2 # on one line, as the runner obeys lines that begin with ::
    exit 2
}

# Print the commit to compare with. A pull request is checked out as its merge, whose first parent is what it is
# merged into, and newer than what the event says if that has moved on since. Elsewhere it is where the two parted,
# as far as the checkout knows.
base_commit() {
    local wanted=${BASE_REF:-$EVENT_BASE} commit
    if [[ -z $BASE_REF && $GITHUB_REF == refs/pull/*/merge && $(git rev-parse HEAD) == "$GITHUB_SHA" ]] &&
        git rev-parse --quiet --verify 'HEAD^1^{commit}'; then
        return
    fi
    [[ -n $wanted && -n ${wanted//0/} ]] || # zeros are what there was before the first push of a branch
        fail "nothing says what to compare with; give 'base-ref'"
    [[ $wanted != [-+]* && $wanted != *:* ]] ||
        fail "'base-ref' must not begin with a hyphen or a plus, or have a colon, got '$wanted'"
    if ! commit=$(git rev-parse --quiet --verify "$wanted^{commit}"); then
        git fetch --quiet --no-tags --depth=1 origin "$wanted" ||
            fail "the commit '$wanted' is not in the checkout and cannot be fetched; give actions/checkout 'fetch-depth: 0'"
        commit=$(git rev-parse --verify 'FETCH_HEAD^{commit}')
    fi
    if [[ -n $BASE_REF ]] || ! git merge-base HEAD "$commit"; then
        printf '%s\n' "$commit"
    fi
}

# Run the command in folder $2 of side $1. A synthesis that policy validation fails has written what is to be reviewed.
synthesize() {
    local status=0 started=$work/started
    [[ -d $2 ]] || fail "the $1 has no folder '$WORKING_DIRECTORY'; 'working-directory' must be the app's"
    touch "$started"
    (cd -- "$2" && bash -euo pipefail -c "$SYNTH") || status=$?
    if [[ $status -ne 0 && ! $2/$CDK_OUT/validation-report.json -nt $started ]]; then
        fail "the 'synth' command ended with $status in the $1"
    fi
    [[ -f $2/$CDK_OUT/manifest.json ]] || fail "the 'synth' command wrote no '$CDK_OUT' in the $1; name it in 'cdk-out'"
    printf '%s=%s\n' "$1" "$3" >>"$GITHUB_OUTPUT"
}

for folder in "$WORKING_DIRECTORY" "$CDK_OUT"; do
    [[ $folder =~ ^[A-Za-z0-9_./-]+$ && $folder != [/-]* && /$folder/ != */../* ]] ||
        fail "a folder must be a path within the repository, of letters, digits, '.', '_', '-' and '/', got '$folder'"
done

work=$RUNNER_TEMP/quota-constructs
mkdir -p "$work"
cd -- "$(git rev-parse --show-toplevel)"
commit=$(base_commit)
rm -rf -- "$work/base"
git worktree prune
git worktree add --quiet --force --detach "$work/base" "$commit"
printf 'commit=%s\n' "$commit" >>"$GITHUB_OUTPUT"

if [[ -e $WORKING_DIRECTORY/cdk.json && ! -e $work/base/$WORKING_DIRECTORY/cdk.json ]]; then
    printf 'quota-constructs: the base has no cdk.json in %s, so all that the head declares is reviewed as new\n' \
        "'$WORKING_DIRECTORY'"
    mkdir -p "$work/base/$WORKING_DIRECTORY/$CDK_OUT"
    printf '{"version": "1.0", "artifacts": {}}\n' >"$work/base/$WORKING_DIRECTORY/$CDK_OUT/manifest.json"
    printf 'base=%s\n' "$work/base/$WORKING_DIRECTORY/$CDK_OUT" >>"$GITHUB_OUTPUT"
else
    synthesize base "$work/base/$WORKING_DIRECTORY" "$work/base/$WORKING_DIRECTORY/$CDK_OUT"
fi
synthesize head "$WORKING_DIRECTORY" "$WORKING_DIRECTORY/$CDK_OUT"

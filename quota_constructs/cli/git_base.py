"""The base of a review out of git: the template or cloud assembly as it stood at some commit."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from quota_constructs.errors import UsageError
from quota_constructs.printable import shortened

MOST_BYTES = 100_000_000
MOST_FILES = 10_000
MOST_SECONDS = 60
TEMPLATES = (".json", ".yaml", ".yml", ".template")

_REF = re.compile(r"[A-Za-z0-9_@][A-Za-z0-9_@./^~{}+-]{0,249}")
_ENTRY = re.compile(r"100(?:644|755) blob ([0-9a-f]{40,64}) +([0-9]+)\t(.+)", re.DOTALL)
_ELSEWHERE = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_PREFIX"})
"""What a hook of git has in its environment, and by which git would look for another repository than the path's."""

_QUIET = {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}


@contextmanager
def checked_out(ref: str, path: Path) -> Generator[Path]:
    """
    Lay what git has at *path* at commit *ref* into a folder of its own, and yield where it is for the time being.

    Only what can be a template is laid out. Raises `UsageError` if there is no such thing, or it is an app.
    """
    _refuse_app(ref, path)
    repository = _Repository(path)
    commit = repository.commit(ref)
    entries = list(repository.templates(commit))
    if not entries:
        raise UsageError(
            f"--base-ref {shortened(ref)}: git has no template at {path} in that commit; {_by_hand(ref, '--base')}"
        )
    with TemporaryDirectory(prefix="quota-constructs-") as folder:
        for blob, name in entries:
            file = Path(folder) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(repository.blob(blob))
        yield Path(folder) / repository.below


def _refuse_app(ref: str, path: Path) -> None:
    is_app = path.name == "cdk.json" or ((path / "cdk.json").is_file() and not (path / "manifest.json").is_file())
    if is_app:
        raise UsageError(f"{path}: is an app, and git has only its source; {_by_hand(ref, '--base')}")


def _by_hand(ref: str, option: str) -> str:
    return (
        f"synthesize the base: 'git worktree add ../base {shortened(ref)}', 'cdk synth' in it, and give its cdk.out "
        f"with {option}"
    )


class _Repository:
    """The repository that a path is in; reading it starts no hook, filter or fetch."""

    def __init__(self, path: Path) -> None:
        git = shutil.which("git")
        if git is None:
            raise UsageError("--base-ref needs git, which is not installed; give the base with --base")
        self._git = git
        self._path = path
        whole = Path(os.path.abspath(path))  # noqa: PTH100 - links are git's own to tell, so none is followed
        inner = [whole] if whole.is_dir() and not whole.is_symlink() else []
        self._folder = next(folder for folder in (*inner, *whole.parents) if folder.is_dir())
        top = self._lines("rev-parse", "--show-toplevel")
        inside = self._lines("rev-parse", "--show-prefix")
        if not top or inside is None:
            raise UsageError(f"--base-ref: {path} is in no git repository; give the base with --base")
        self.below = str(PurePosixPath(inside) / whole.relative_to(self._folder).as_posix())
        self._folder = Path(top)

    def commit(self, ref: str) -> str:
        """Return the full id of the commit that *ref* names."""
        allowed = _REF.fullmatch(ref) and ".." not in ref
        commit = self._lines("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}") if allowed else None
        if not commit:
            raise UsageError(
                f"--base-ref: git knows no commit '{shortened(ref)}' in this repository; give a branch, a tag or an "
                "id, and fetch it first where the clone is shallow"
            )
        return commit

    def templates(self, commit: str) -> Iterator[tuple[str, PurePosixPath]]:
        """Yield the blob and the name of each file at or below the path that can be a template."""
        listed = self._run("ls-tree", "-r", "-z", "--long", "--full-tree", commit, "--", self.below)
        total = count = 0
        for entry in (listed or b"").split(b"\0"):
            found = _ENTRY.fullmatch(entry.decode("utf-8", "surrogateescape"))
            if found is None:  # the end, a link, or another repository
                continue
            blob, size, name = found[1], int(found[2]), PurePosixPath(found[3])
            if name.suffix.lower() not in TEMPLATES or ".." in name.parts or name.is_absolute():
                continue
            total += size
            count += 1
            if total > MOST_BYTES or count > MOST_FILES:
                raise UsageError(
                    f"--base-ref: {self._path} holds more than {MOST_BYTES:,} bytes or {MOST_FILES:,} files of "
                    "templates, the most that is read"
                )
            yield blob, name

    def blob(self, blob: str) -> bytes:
        """Return the contents of a file."""
        contents = self._run("cat-file", "blob", blob)
        if contents is None:
            raise UsageError(f"--base-ref: git cannot read a file of {self._path}; fetch it first")
        return contents

    def _lines(self, *arguments: str) -> str | None:
        output = self._run(*arguments)
        return None if output is None else output.decode("utf-8", "surrogateescape").removesuffix("\n")

    def _run(self, *arguments: str) -> bytes | None:
        """Return what git writes, None if it fails or writes too much."""
        command = [self._git, "--literal-pathspecs", "-C", str(self._folder), *arguments]
        with subprocess.Popen(  # noqa: S603 - a list without a shell, and nothing in it can be taken for an option
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: value for name, value in os.environ.items() if name not in _ELSEWHERE} | _QUIET,
        ) as process:
            assert process.stdout is not None  # noqa: S101 - it is a pipe
            output = process.stdout.read(MOST_BYTES + 1)
            if len(output) > MOST_BYTES:
                process.kill()
                return None
            return output if process.wait(MOST_SECONDS) == 0 else None

"""A repository with an app in it whose synthesis is only to copy what was committed."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.templates import queue, write_template

SYNTH = "mkdir -p cdk.out && cp assembly/* cdk.out/"
SHARES: Mapping[str, tuple[int, str]] = {"research": (2, "RESERVE"), "product": (2, "RESERVE")}
MOVED: Mapping[str, tuple[int, str]] = {"research": (1, "RESERVE"), "product": (3, "RESERVE")}
"""The same with an instance of `research` given to `product`."""

GIT = {
    **{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_", "PYTEST_"))},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


class Repository:
    """A git repository in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("config", "user.name", "Test")
        self.git("config", "user.email", "test@example.com")

    def git(self, *arguments: str) -> str:
        """Run git, and return what it says."""
        run = subprocess.run(
            ["git", *arguments],  # noqa: S607 - whichever git there is
            cwd=self.folder,
            env=GIT,
            capture_output=True,
            text=True,
            check=True,
        )
        return run.stdout.strip()

    def declare(self, shares: Mapping[str, tuple[int, str]], *, app: str = ".") -> str:
        """Let the app in folder *app* declare *shares*, and return the commit."""
        assembly = self.folder / app / "assembly"
        assembly.mkdir(parents=True, exist_ok=True)
        write_template(assembly / "Platform.template.json", queue("main", shares, capacity=4))
        stack = {"type": "aws:cloudformation:stack", "properties": {"templateFile": "Platform.template.json"}}
        manifest = {"version": "55.0.0", "artifacts": {"Platform": stack}}
        (assembly / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        return self.commit("declare")

    def commit(self, message: str) -> str:
        """Commit all that there is, and return the commit."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def shallow_copy(self, folder: Path) -> Repository:
        """Return a clone that has only the last commit."""
        self.git("config", "uploadpack.allowAnySHA1InWant", "true")
        self.git("clone", "--quiet", "--depth=1", self.folder.as_uri(), str(folder))
        copy = object.__new__(Repository)
        copy.folder = folder
        return copy

"""From a path to the stacks it holds: a lone template or a cloud assembly, with nested stages and nested stacks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from quota_constructs.errors import TemplateError
from quota_constructs.evaluator.template.declarations import NO_DECLARATIONS, Declarations, declarations_in
from quota_constructs.evaluator.template.document import is_file, read_document
from quota_constructs.evaluator.template.stack import Place, Resource, Stack
from quota_constructs.evaluator.template.values import Node
from quota_constructs.printable import printable, shortened

MANIFEST = "manifest.json"

_MAX_BYTES = 100_000_000
_MAX_STACKS = 2_000
_MAX_NESTING = 16
_NESTED_STACK = "AWS::CloudFormation::Stack"
_HASH = re.compile(r"[0-9a-f]{64}")
_UNKNOWN = frozenset({"unknown-account", "unknown-region"})


def read_stacks(path: Path, *, parameters: Mapping[str, str]) -> tuple[list[Stack], list[str]]:
    """Return the stacks that *path* holds, each parent before its nested stacks, and notes on what was passed over."""
    try:
        is_assembly = path.is_dir()
    except OSError as error:  # too long a name, a directory that may not be entered
        raise TemplateError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from error
    if is_assembly:
        reader = _StackReader(path, parameters)
        reader.read_assembly(PurePosixPath())
    else:
        reader = _StackReader(path.parent, parameters)
        reader.read_lone_template(path.name)
    return reader.stacks, reader.notes


class _StackReader:
    """Reads files below one directory, and nothing outside it."""

    def __init__(self, directory: Path, parameters: Mapping[str, str]) -> None:
        self.stacks: list[Stack] = []
        self.notes: list[str] = []
        self._directory = directory
        self._parameters = parameters
        self._documents: dict[PurePosixPath, dict[str, Node]] = {}
        self._asset_manifests: list[PurePosixPath] = []
        self._assets: dict[str, str] = {}
        self._bytes = 0

    def read_lone_template(self, name: str) -> None:
        """Add the stack of a template that stands by itself."""
        file = PurePosixPath(name)
        if not isinstance(self._document(file).get("Resources"), dict):
            raise TemplateError(f"{self._shown(file)}: is not a CloudFormation template: it has no Resources object")
        assets = PurePosixPath(name.replace(".template.json", ".assets.json"))
        if assets != file:
            self._asset_manifests.append(assets)
        self._add(Stack(self._shown(file), name, self._document(file), supplied=self._parameters), (file,))

    def read_assembly(self, directory: PurePosixPath) -> None:
        """Add the stacks of the cloud assembly in *directory*, its nested stages included."""
        manifest = directory / MANIFEST
        if not is_file(self._directory / manifest):
            raise TemplateError(
                f"{self._shown(directory)}: is not a cloud assembly: it has no {MANIFEST}; "
                "give the output directory of 'cdk synth' or a template file"
            )
        artifacts = self._document(manifest).get("artifacts", {})
        if not isinstance(artifacts, dict):
            raise TemplateError(f"{self._shown(manifest)}: 'artifacts' must be an object")
        found = {name: artifact for name, artifact in artifacts.items() if isinstance(artifact, dict)}
        if len(found) != len(artifacts):
            raise TemplateError(f"{self._shown(manifest)}: every one of 'artifacts' must be an object")
        for artifact in found.values():
            if artifact.get("type") == "cdk:asset-manifest":
                self._asset_manifests.append(self._contained(manifest, _properties(artifact).get("file")))
        for name, artifact in found.items():
            if artifact.get("type") == "cdk:cloud-assembly":
                self._read_stage(_properties(artifact).get("directoryName"), manifest)
            elif artifact.get("type") == "aws:cloudformation:stack":
                self._read_stack(name, artifact, manifest)

    def _read_stage(self, directory: Node, manifest: PurePosixPath) -> None:
        stage = self._contained(manifest, directory)
        if len(stage.parts) > _MAX_NESTING:
            raise TemplateError(f"{self._shown(manifest)}: stages are nested more than {_MAX_NESTING} deep")
        self.read_assembly(stage)

    def _read_stack(self, artifact_id: str, artifact: dict[str, Node], manifest: PurePosixPath) -> None:
        properties = _properties(artifact)
        file = self._contained(manifest, properties.get("templateFile"))
        name, given = properties.get("stackName"), properties.get("parameters")
        declared = {key: str(value) for key, value in given.items()} if isinstance(given, dict) else {}
        stack = Stack(
            self._shown(file),
            f"{manifest.parent}/{artifact_id}",
            self._document(file),
            place=_place(str(manifest.parent), artifact.get("environment")),
            name=name if isinstance(name, str) else artifact_id,
            supplied={**declared, **self._parameters},
            declarations=self._declarations(artifact, manifest),
        )
        self._add(stack, (file,))

    def _declarations(self, artifact: dict[str, Node], manifest: PurePosixPath) -> Declarations:
        """Read which lines of Python declare the resources of a stack; newer releases of the CDK note it apart."""
        apart = artifact.get("additionalMetadataFile")
        if apart is None:
            return declarations_in(artifact.get("metadata"))
        try:
            return declarations_in(self._document(self._contained(manifest, apart)))
        except TemplateError as error:
            self.notes.append(f"{error}; which lines of Python declare its resources is not known")
            return NO_DECLARATIONS

    def _add(self, stack: Stack, files: tuple[PurePosixPath, ...]) -> None:
        """Add *stack* and its nested stacks; *files* are its template and those it is nested in, innermost first."""
        if len(self.stacks) >= _MAX_STACKS:
            raise TemplateError(f"{self._directory}: holds more than {_MAX_STACKS:,} stacks, nested ones counted")
        self.stacks.append(stack)
        self._refuse_loops(stack)
        for resource in stack.resources():
            if resource.kind == _NESTED_STACK:
                self._add_nested(resource, files)

    def _refuse_loops(self, stack: Stack) -> None:
        """Refuse Fn::ForEach and Fn::Transform where they make Batch resources; elsewhere they are not needed."""
        for key, body in stack.section("Resources").items():
            if key.startswith("Fn::") and any(text.startswith("AWS::Batch::") for text in _texts(body)):
                raise TemplateError(
                    f"{stack.template}: Resources/{shortened(key)} makes AWS::Batch resources, which is not done here; "
                    "write the resources out, or give the template that CloudFormation made of it"
                )

    def _add_nested(self, resource: Resource, files: tuple[PurePosixPath, ...]) -> None:
        stack = resource.stack
        properties = resource.properties if isinstance(resource.properties, dict) else {}
        location = self._local_template(resource, properties.get("TemplateURL"))
        file = None if location is None else self._contained(files[0], location)
        if file is None or not is_file(self._directory / file):
            self.notes.append(
                f"{resource.shown}: the template of this nested stack is not in what was read; passed over"
            )
            return
        if file in files:
            raise TemplateError(f"{resource.shown}: nests the template '{shortened(str(file))}' in itself")
        if len(files) > _MAX_NESTING:
            raise TemplateError(f"{resource.shown}: stacks are nested more than {_MAX_NESTING} deep")
        passed = properties.get("Parameters")
        nested = Stack(
            self._shown(file),
            f"{stack.key}/{resource.logical_id}",
            self._document(file),
            place=stack.place,
            supplied=self._parameters,
            parent=stack,
            passed=passed if isinstance(passed, dict) else {},
            declarations=stack.declarations,
        )
        stack.nested[resource.logical_id] = nested
        self._add(nested, (file, *files))

    def _local_template(self, resource: Resource, url: Node) -> str | None:
        """Return a nested stack's local file: an asset of the CDK, or a path as `aws cloudformation package` takes."""
        if resource.asset_path is not None:
            return resource.asset_path
        if isinstance(url, str) and "://" not in url:
            return url
        hashes = [match[0] for text in _texts(url) for match in _HASH.finditer(text)]
        if hashes:
            self._read_assets()
        return next((self._assets[found] for found in hashes if found in self._assets), None)

    def _read_assets(self) -> None:
        """Learn from the asset manifests that were come across where the files lie that are to be uploaded."""
        while self._asset_manifests:
            manifest = self._asset_manifests.pop()
            files = self._document(manifest).get("files") if is_file(self._directory / manifest) else None
            for asset_hash, asset in files.items() if isinstance(files, dict) else ():
                match asset:
                    case {"source": {"path": str(path), "packaging": "file"}}:
                        self._assets[asset_hash] = path
                    case _:
                        pass

    def _document(self, file: PurePosixPath) -> dict[str, Node]:
        if file not in self._documents:
            document, size = read_document(self._directory / file)
            self._bytes += size
            if self._bytes > _MAX_BYTES:
                raise TemplateError(
                    f"{self._directory}: holds more than {_MAX_BYTES:,} bytes of templates, the most that is read"
                )
            self._documents[file] = document
        return self._documents[file]

    def _contained(self, beside: PurePosixPath, relative: Node) -> PurePosixPath:
        """Return the file that *relative* names beside *beside*, refusing any that is not below our directory."""
        where = self._shown(beside)
        if not isinstance(relative, str) or not relative or not relative.isprintable():
            raise TemplateError(f"{where}: names a file or directory that is no path: '{shortened(str(relative))}'")
        path = PurePosixPath(relative)
        if path.is_absolute() or not path.parts or ".." in path.parts:
            raise TemplateError(f"{where}: names '{shortened(relative)}', which is not below its own directory")
        file = beside.parent / path
        try:
            is_inside = (self._directory / file).resolve().is_relative_to(self._directory.resolve())
        except (OSError, RuntimeError) as error:
            raise TemplateError(f"{where}: names '{shortened(relative)}', which cannot be followed") from error
        if not is_inside:
            raise TemplateError(f"{where}: names '{shortened(relative)}', which leads out of {self._directory}")
        return file

    def _shown(self, file: PurePosixPath) -> str:
        return printable(str(self._directory / file))


def _place(stage: str, environment: Node) -> Place:
    """Read `aws://account/region`, in which either may be unknown."""
    account, _, region = (
        environment.removeprefix("aws://").partition("/") if isinstance(environment, str) else ("", "", "")
    )
    return Place(
        stage,
        account=account if account and account not in _UNKNOWN else None,
        region=region if region and region not in _UNKNOWN else None,
    )


def _properties(artifact: dict[str, Node]) -> dict[str, Node]:
    properties = artifact.get("properties")
    return properties if isinstance(properties, dict) else {}


def _texts(node: Node) -> Iterator[str]:
    """Yield the strings of an expression."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict | list):
        for child in node.values() if isinstance(node, dict) else node:
            yield from _texts(child)

"""`anamnesis --version`: the release that is installed."""

import click

_PACKAGES = ("anamnesis-suite", "anamnesis-cli")
"""The suite as one package, or the command line as one of several."""


def _print(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        click.echo(f"anamnesis {installed_version()}")
        context.exit()


def installed_version() -> str:
    """The version of the package that brought this command; "unknown" beside its sources."""
    from importlib.metadata import PackageNotFoundError, version

    for package in _PACKAGES:
        try:
            return version(package)
        except PackageNotFoundError:
            continue
    return "unknown"


version_option = click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print,
    help="Show the version and end.",
)
"""Adds `--version`."""

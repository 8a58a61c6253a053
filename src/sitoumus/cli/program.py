"""The program: its name, its help, and how it ends."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from ..errors import SitoumusError
from .complaints import ClickException, Part, UsageError, complain, give_up_output, nothing_known

app = typer.Typer(
    name="sitoumus",
    help="Sitoumussamba and the Canasta family, simulated exactly: odds of contracts, worth of bids, single deals.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(asked: bool) -> None:
    if asked:
        from ..version import RESULT_VERSION, __version__

        print(f"sitoumus {__version__}, result version {RESULT_VERSION}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version, and that of the results."),
    ] = False,
) -> None:
    """What stands before a command."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str
        Without the name of the program.

    Returns
    -------
    int
        The exit status: 0, 1 if something checked has failed, 2 for bad input, 130 after ctrl-C.
    """
    if sys.stdout is None:
        return complain("standard output is closed: there is nowhere to write")
    try:
        status = app(args=list(arguments) or ["--help"], prog_name="sitoumus", standalone_mode=False)
        sys.stdout.flush()
        return nothing_known(arguments) if status == 130 else status if isinstance(status, int) else 0
    except Part:
        return 130
    except UsageError as error:
        command = error.ctx.command_path if error.ctx else "sitoumus"
        return complain(f"{error.format_message().rstrip('.')} (see {command} --help)")
    except ClickException as error:
        return complain(error.format_message())
    except SitoumusError as error:
        return complain(str(error))
    except UnicodeEncodeError as error:
        wrong = error.object[error.start : error.end]
        return complain(
            f"{wrong!r} cannot be written in the encoding {error.encoding} of standard output: "
            "set PYTHONIOENCODING=utf-8"
        )
    except (KeyboardInterrupt, typer.Abort):
        return nothing_known(arguments)
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        give_up_output()
        return 1
    except OSError as error:
        give_up_output()
        return complain(f"the output cannot be written: {error}")

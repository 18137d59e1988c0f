"""`python -m cytat`: the command line."""

from cytat.surfaces.cli.commands import main

if __name__ == "__main__":
    main()

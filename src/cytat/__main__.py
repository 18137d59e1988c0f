"""`python -m cytat`: the command line."""

from cytat.surfaces.cli import main

if __name__ == "__main__":
    main()

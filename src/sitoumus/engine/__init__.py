"""The engine: structs and functions in C, without Python objects; the compiled modules above it are its only users."""

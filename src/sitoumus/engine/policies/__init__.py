"""Compiled policies."""

// The declarative core; see the folders.

"""Messages of the wire and values of the domain, each out of the other."""

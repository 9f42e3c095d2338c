"""The parts of threeds_peer.py: an independent SDK, directory server, 3DS server, shop and browser."""

"""Wall screens: paired by a code, named, and given the shop-floor board to show until they are revoked."""

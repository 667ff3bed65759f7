"""Wall screens: they are paired by a code and named, and show the shop-floor board until they are revoked."""

"""Code that every domain uses: errors, clock, pagination, versions. It imports no other package of the product."""

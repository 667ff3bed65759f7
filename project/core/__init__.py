"""What every domain uses: errors, clock, pagination, versions. Imports nothing else of the product."""

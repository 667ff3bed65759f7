"""Connects links to the catalog of customers."""

from project.catalogs.definitions import CUSTOMERS
from project.customer_links.services import links_of_customer_end

CUSTOMERS.before_delete.append(links_of_customer_end)

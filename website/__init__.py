"""The docs site: pages that people wrote, and a reference made from the code when it is built."""

"""What the pages of KeyForge show."""

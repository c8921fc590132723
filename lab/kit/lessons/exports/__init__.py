"""Questions for the systems that schools have: Moodle and Canvas."""

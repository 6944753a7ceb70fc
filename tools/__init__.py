"""Scripts that build, check and picture the project. The app imports none of them."""

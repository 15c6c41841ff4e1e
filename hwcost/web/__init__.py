"""The front end: Streamlit pages over the same engine as the command line. Nothing in the core imports this."""

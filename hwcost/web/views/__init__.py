"""The pages of the app, each a file that Streamlit runs."""

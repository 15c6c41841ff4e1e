"""Entry of the front end: `streamlit run streamlit_app.py`. The page itself is `hwcost.web.app`."""

from hwcost.web.app import main

main()

"""The pages in the browser: a Starlette application, and scripts without a build step."""

// A key that is typed in stays in this page, and the address cannot point the page at another document.
SwaggerUIBundle({
  dom_id: "#docs",
  url: "/openapi.json",
  deepLinking: true,
  // The operations are the page; a schema opens from where it is used.
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
});

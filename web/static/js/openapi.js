// The page to try the API: Swagger UI over this server's own description.

const host = document.getElementById("try-it");

window.SwaggerUIBundle({ domNode: host, url: host.dataset.description, deepLinking: true });

import { z } from 'zod';
import { endpoint } from '../_http/endpoint';
import { openApiDocument } from '../_http/openapi';

export const getOpenApi = endpoint({
  method: 'GET',
  path: '/api/v1/openapi.json',
  summary: 'This description of the API, made from the code that serves it',
  output: z.record(z.string(), z.unknown()),
  authorise: 'public',
  // Loaded late: the list of all endpoints holds this one too.
  handler: async () => openApiDocument((await import('./endpoints')).endpoints),
});

import { notFound } from '@/lib/errors';
import { framed } from '../_http/frame';

/** An address of the API that is none is told as data too: Next's own page would come without the headers of a page. */
const nothing = (request: Request) =>
  framed(request, '/api', async () => {
    throw notFound('address');
  });

export {
  nothing as DELETE,
  nothing as GET,
  nothing as HEAD,
  nothing as OPTIONS,
  nothing as PATCH,
  nothing as POST,
  nothing as PUT,
};

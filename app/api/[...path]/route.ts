import { dispatch } from '../_http/router';
import { endpoints } from '../v1/endpoints';

const handle = dispatch(endpoints);

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};

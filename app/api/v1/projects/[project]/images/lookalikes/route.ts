import { route } from '@/app/api/_http/route';
import { findLookalikes, listLookalikes } from '@/app/api/v1/images/change-endpoints';

export const { GET, POST } = route(findLookalikes, listLookalikes);

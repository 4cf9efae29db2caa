import { route } from '@/app/api/_http/route';
import { createSavedFilter, listSavedFilters } from '@/app/api/v1/images/filter-endpoints';

export const { GET, POST } = route(createSavedFilter, listSavedFilters);

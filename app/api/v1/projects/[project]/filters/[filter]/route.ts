import { route } from '@/app/api/_http/route';
import { deleteSavedFilter, renameSavedFilter } from '@/app/api/v1/images/filter-endpoints';

export const { DELETE, PATCH } = route(deleteSavedFilter, renameSavedFilter);

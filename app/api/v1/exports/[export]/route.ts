import { route } from '@/app/api/_http/route';
import { readExport } from '@/app/api/v1/exports/endpoints';

export const { GET } = route(readExport);

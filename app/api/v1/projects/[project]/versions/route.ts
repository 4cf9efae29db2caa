import { route } from '@/app/api/_http/route';
import { freezeProject, listProjectVersions } from '@/app/api/v1/versions/endpoints';

export const { GET, POST } = route(listProjectVersions, freezeProject);

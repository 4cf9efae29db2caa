import { route } from '@/app/api/_http/route';
import { sendModelFile } from '@/app/api/v1/models/endpoints';

export const { POST } = route(sendModelFile);

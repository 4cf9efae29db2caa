import { route } from '@/app/api/_http/route';
import { askAssist, readAssists } from '../../../assist-endpoints';

export const { GET, POST } = route(readAssists, askAssist);

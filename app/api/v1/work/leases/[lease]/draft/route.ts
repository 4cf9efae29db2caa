import { route } from '@/app/api/_http/route';
import { saveDraft } from '../../../lease-endpoints';

export const { PUT } = route(saveDraft);

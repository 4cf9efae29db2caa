import { route } from '@/app/api/_http/route';
import { appealDecision } from '../../../decision-endpoints';

export const { POST } = route(appealDecision);

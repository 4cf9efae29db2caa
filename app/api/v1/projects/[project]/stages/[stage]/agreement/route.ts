import { route } from '@/app/api/_http/route';
import { getAgreement } from '@/app/api/v1/projects/consensus-endpoints';

export const { GET } = route(getAgreement);

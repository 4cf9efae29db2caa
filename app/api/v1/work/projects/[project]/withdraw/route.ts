import { route } from '@/app/api/_http/route';
import { withdrawConsent } from '@/app/api/v1/consent/endpoints';

export const { POST } = route(withdrawConsent);

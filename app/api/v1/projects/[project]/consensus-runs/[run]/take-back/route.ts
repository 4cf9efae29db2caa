import { route } from '@/app/api/_http/route';
import { takeBackConsensus } from '@/app/api/v1/projects/consensus-endpoints';

export const { POST } = route(takeBackConsensus);

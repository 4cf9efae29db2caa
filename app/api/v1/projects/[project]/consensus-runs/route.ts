import { route } from '@/app/api/_http/route';
import { buildConsensus, listConsensusRuns } from '@/app/api/v1/projects/consensus-endpoints';

export const { GET, POST } = route(listConsensusRuns, buildConsensus);

import { route } from '@/app/api/_http/route';
import { listOracleStages, makeProjectOracleStage } from '@/app/api/v1/evaluations/crowd-endpoints';

export const { GET, POST } = route(listOracleStages, makeProjectOracleStage);

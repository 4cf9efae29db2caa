import sharp from 'sharp';
import { firstLineOf, runBesideFile, serveRequests } from '../serve-child';
import type { PredictRequest } from './model-process';
import { ServedModel } from './run-model';

sharp.cache(false);
sharp.concurrency(1);

let model: Promise<ServedModel> | undefined;

serveRequests(async (_call, payload) => {
  const { file, contract, pictures } = payload as PredictRequest;
  try {
    model ??= runBesideFile(file, () => ServedModel.open(file, contract));
    return await (await model).predict(pictures);
  } catch (error) {
    // A plain error, so that the client reports that the model does not run.
    throw new Error(firstLineOf(error));
  }
});

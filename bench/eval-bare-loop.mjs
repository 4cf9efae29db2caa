/** What remains when everything but the model is taken away: one tensor, again and again. */
import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';

const { file, input, output, dims } = workerData;
const session = await InferenceSession.create(file, {
  executionProviders: ['cpu'],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  logSeverityLevel: 3,
});
const size = dims.reduce((product, side) => product * side, 1);
const data = Float32Array.from({ length: size }, (_, i) => (i % 251) / 251);
const tensor = new Tensor('float32', data, dims);
parentPort.on('message', async (count) => {
  for (let i = 0; i < count; i++) await session.run({ [input]: tensor }, [output]);
  parentPort.postMessage('done');
});
parentPort.postMessage('open');

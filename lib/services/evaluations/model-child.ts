import { LENT_FILE } from '@/lib/services/inference/process/child-messages';
import { besideFile, hearQuestions } from '@/lib/services/inference/process/serve-child';
import { AskedThread } from './asked-thread';
import type { ModelSource } from './session';
import { isLaid, ReadPictures } from './shared-pictures';

/**
 * The process of a model. This thread hears the questions, fetches their pictures and says the answers, while another
 * one does nothing but run the model: of a small model's time, a tenth lay between two runs.
 */
const pictures = new ReadPictures(LENT_FILE);
const thread = await AskedThread.start('./model-thread.ts');

hearQuestions(async (call, given) => {
  // The folder is that of the process: a thread cannot choose it.
  const { answer, memory } =
    call === 'open'
      ? await besideFile((given as ModelSource).file, () => thread.ask(call, given))
      : await thread.ask(call, isLaid(given) ? pictures.read(given) : given);
  if (memory) pictures.clear(memory);
  return answer;
});

/** Ask the user a question with two answers, in the middle of a save. */
import Modal from "antd/es/modal";
import { useRef, useState } from "react";

export interface Question {
  title: string;
  text: string;
  accept: string;
  decline: string;
}

/**
 * `ask` resolves to whether the user accepts. Render `question` outside of the form, because a form
 * that is being sent ignores keys.
 */
export function useQuestion() {
  const [asked, setAsked] = useState<Question | null>(null);
  const answer = useRef<(yes: boolean) => void>(undefined);

  async function ask(question: Question): Promise<boolean> {
    setAsked(question);
    return new Promise((resolve) => {
      answer.current = resolve;
    });
  }

  function close(yes: boolean) {
    setAsked(null);
    answer.current?.(yes);
  }

  const question = asked !== null && (
    <Modal
      open
      centered
      width={460}
      title={asked.title}
      closable={false}
      onCancel={() => close(false)}
      onOk={() => close(true)}
      okText={asked.accept}
      cancelText={asked.decline}
    >
      <p>{asked.text}</p>
    </Modal>
  );
  return { ask, question };
}

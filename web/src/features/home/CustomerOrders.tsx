/** The orders of a customer's account, shown as on the page of a customer link. */
import Skeleton from "antd/es/skeleton";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PageAnswerIn, PagePaper } from "@/contract";
import { PageView, type Means } from "@/entities/customerPage/PageView";
import { api, call, QUIET } from "@/shared/http/client";
import { useAnswer } from "@/shared/http/data";
import { download } from "@/shared/http/download";
import { CUSTOMER_PAGE } from "@/shared/http/keys";
import { SearchField } from "@/shared/ui/SearchField";
import { LoadFailed } from "@/shared/ui/states";

export default function CustomerOrders() {
  const { t } = useTranslation("customerPage");
  const [search, setSearch] = useState("");
  const asked = search === "" ? {} : { query: { search } };
  const { data: page, error, mutate } = useAnswer(CUSTOMER_PAGE, asked);
  const means: Means = {
    // A refusal means that the page is old, such as for a request that was answered elsewhere.
    answer: (body) => sendAnswer(body).finally(() => mutate()),
    save: savePaper,
  };
  if (page === undefined && error !== undefined) {
    return <LoadFailed error={error} onRetry={() => void mutate()} />;
  }
  if (page === undefined) return <Skeleton active title={false} paragraph={{ rows: 6 }} />;
  return (
    <div className="ob-below ob-stack">
      {(page.more || search !== "") && (
        <SearchField label={t("search")} value={search} onSearch={setSearch} />
      )}
      <PageView page={page} means={means} />
    </div>
  );
}

const sendAnswer = (body: PageAnswerIn) => call(api.POST("/api/customer-page/answers", { body }));

const savePaper = ({ billId, paper, number }: PagePaper): Promise<void> =>
  download(
    api.GET("/api/customer-page/papers/{bill_id}/{paper}", {
      params: { path: { bill_id: billId, paper } },
      headers: QUIET,
      parseAs: "blob",
    }),
    `${number}.pdf`,
  );

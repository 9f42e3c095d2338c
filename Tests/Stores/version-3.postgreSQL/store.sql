--
-- PostgreSQL database dump
--

\restrict CcTl8GfNTPvMumpDO7cfmtj5zihPyEvWEWNYPy3qRF7Fi3jBn46IGPnOcfbaG5H

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: accounts; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.accounts (
    enterprise text NOT NULL,
    type text NOT NULL,
    id text NOT NULL,
    person bytea,
    muted_until bigint,
    replaced_by_type text,
    replaced_by_id text
);


ALTER TABLE public.accounts OWNER TO bank;

--
-- Name: activations; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.activations (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    issued bigint NOT NULL,
    deadline bigint NOT NULL,
    state bigint NOT NULL,
    closed bigint,
    code bytea,
    claim_digest bytea,
    claim_offer bytea,
    failures bytea NOT NULL
);


ALTER TABLE public.activations OWNER TO bank;

--
-- Name: archived_transactions; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.archived_transactions (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    canonical_bytes bytea NOT NULL,
    accepted_authentication bigint NOT NULL,
    created bigint NOT NULL,
    deadline bigint NOT NULL,
    state bigint NOT NULL,
    closed bigint NOT NULL,
    device bytea,
    detail text,
    evidence bytea
);


ALTER TABLE public.archived_transactions OWNER TO bank;

--
-- Name: attempts; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.attempts (
    device bytea NOT NULL,
    id bytea NOT NULL,
    made bigint NOT NULL,
    fingerprint bytea NOT NULL,
    verdict text NOT NULL
);


ALTER TABLE public.attempts OWNER TO bank;

--
-- Name: audit; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.audit (
    sequence bigint NOT NULL,
    moment bigint NOT NULL,
    actor text NOT NULL,
    kind text NOT NULL,
    enterprise text,
    account_type text,
    account_id text,
    subject text NOT NULL,
    detail text NOT NULL,
    traces bytea NOT NULL,
    hash bytea NOT NULL
);


ALTER TABLE public.audit OWNER TO bank;

--
-- Name: bank_calls; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.bank_calls (
    enterprise text NOT NULL,
    name text NOT NULL,
    made bigint NOT NULL,
    fingerprint bytea NOT NULL,
    outcome text NOT NULL
);


ALTER TABLE public.bank_calls OWNER TO bank;

--
-- Name: bank_tokens; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.bank_tokens (
    id bytea NOT NULL,
    secret_digest bytea NOT NULL,
    name text NOT NULL,
    enterprise text,
    role text NOT NULL,
    created bigint NOT NULL,
    expiry bigint NOT NULL,
    revoked bigint
);


ALTER TABLE public.bank_tokens OWNER TO bank;

--
-- Name: countersign_commits; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.countersign_commits (
    writer text NOT NULL,
    place bigint NOT NULL,
    number bigint NOT NULL
);


ALTER TABLE public.countersign_commits OWNER TO bank;

--
-- Name: countersign_store; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.countersign_store (
    id bigint NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT countersign_store_id_check CHECK ((id = 1))
);


ALTER TABLE public.countersign_store OWNER TO bank;

--
-- Name: credentials; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.credentials (
    device bytea NOT NULL,
    kind bigint NOT NULL,
    id bytea NOT NULL,
    generation bigint NOT NULL,
    counter bigint NOT NULL,
    standing bigint NOT NULL,
    confirmed_in bigint NOT NULL,
    seed bytea NOT NULL,
    copy_noticed bigint NOT NULL,
    counted_with bytea,
    failures_in_a_row bigint NOT NULL,
    locks_in_a_row bigint NOT NULL,
    locked_until bigint,
    blocked bigint NOT NULL,
    failures bytea NOT NULL,
    CONSTRAINT credentials_counter_check CHECK ((counter >= 0)),
    CONSTRAINT credentials_generation_check CHECK ((generation >= 0))
);


ALTER TABLE public.credentials OWNER TO bank;

--
-- Name: devices; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.devices (
    id bytea NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    public_key bytea,
    token text,
    name text NOT NULL,
    standing bigint NOT NULL,
    activated bigint NOT NULL,
    notifications text NOT NULL,
    CONSTRAINT devices_check CHECK (((public_key IS NULL) <> (token IS NULL)))
);


ALTER TABLE public.devices OWNER TO bank;

--
-- Name: enterprises; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.enterprises (
    id text NOT NULL,
    policy text NOT NULL,
    policy_version bigint NOT NULL
);


ALTER TABLE public.enterprises OWNER TO bank;

--
-- Name: imports; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.imports (
    name text NOT NULL,
    line bigint NOT NULL,
    digest bytea NOT NULL,
    accounts bigint NOT NULL,
    tokens bigint NOT NULL,
    rejected bigint NOT NULL
);


ALTER TABLE public.imports OWNER TO bank;

--
-- Name: logins; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.logins (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    device bytea NOT NULL,
    type text NOT NULL,
    data_digest bytea NOT NULL,
    granted bigint NOT NULL,
    redeemed bigint
);


ALTER TABLE public.logins OWNER TO bank;

--
-- Name: outbox; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.outbox (
    sequence bigint NOT NULL,
    target bigint NOT NULL,
    device bytea DEFAULT '\x'::bytea NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    subject text NOT NULL,
    tries bigint NOT NULL,
    since bigint NOT NULL,
    due bigint,
    state bigint NOT NULL
);


ALTER TABLE public.outbox OWNER TO bank;

--
-- Name: rejected_rows; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.rejected_rows (
    import text NOT NULL,
    line bigint NOT NULL,
    reason text NOT NULL
);


ALTER TABLE public.rejected_rows OWNER TO bank;

--
-- Name: transactions; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.transactions (
    id text NOT NULL,
    enterprise text NOT NULL,
    account_type text NOT NULL,
    account_id text NOT NULL,
    canonical_bytes bytea NOT NULL,
    accepted_authentication bigint NOT NULL,
    created bigint NOT NULL,
    deadline bigint NOT NULL,
    number bytea,
    state bigint NOT NULL,
    closed bigint,
    device bytea,
    detail text,
    evidence bytea
);


ALTER TABLE public.transactions OWNER TO bank;

--
-- Name: verifier; Type: TABLE; Schema: public; Owner: bank
--

CREATE TABLE public.verifier (
    id bigint NOT NULL,
    store bytea NOT NULL,
    epoch bigint NOT NULL,
    audit_sequence bigint NOT NULL,
    audit_moment bigint NOT NULL,
    audit_hash bytea NOT NULL,
    fingerprint_key bytea,
    least_key_version bigint NOT NULL,
    is_copy bigint NOT NULL,
    CONSTRAINT verifier_audit_moment_check CHECK ((audit_moment >= 0)),
    CONSTRAINT verifier_audit_sequence_check CHECK ((audit_sequence >= 0)),
    CONSTRAINT verifier_epoch_check CHECK ((epoch >= 0)),
    CONSTRAINT verifier_id_check CHECK ((id = 1)),
    CONSTRAINT verifier_is_copy_check CHECK ((is_copy = ANY (ARRAY[(0)::bigint, (1)::bigint]))),
    CONSTRAINT verifier_least_key_version_check CHECK ((least_key_version >= 0))
);


ALTER TABLE public.verifier OWNER TO bank;

--
-- Data for Name: accounts; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.accounts (enterprise, type, id, person, muted_until, replaced_by_type, replaced_by_id) FROM stdin;
bank	main	4711	\\xfef6eb4b9027df36a7f1fc8be580564d	1800086400000	\N	\N
bank	main	4712	\\xfef6eb4b9027df36a7f1fc8be580564d	\N	\N	\N
bank	main	4715	\N	\N	\N	\N
bank	main	4714	\N	\N	main	4715
\.


--
-- Data for Name: activations; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.activations (id, enterprise, account_type, account_id, issued, deadline, state, closed, code, claim_digest, claim_offer, failures) FROM stdin;
FDNAGEK11Q	bank	main	4711	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x
25E2YVV616	bank	main	4712	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x
56B9XDWJGB	bank	main	4714	1800000000000	1800086400000	1	1800000000000	\N	\N	\N	\\x
XQD2QKCNCW	bank	main	4712	1800691200000	1800777600000	0	\N	\\x010000000118ef08744cca57e04dfa12b37e48481664592574f03ae4322e371b2e1e9abc41152700e1e28d72bff7eb80e9e1dcaf6e706def	\N	\N	\\x
\.


--
-- Data for Name: archived_transactions; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.archived_transactions (id, enterprise, account_type, account_id, canonical_bytes, accepted_authentication, created, deadline, state, closed, device, detail, evidence) FROM stdin;
01a3185c5000a72bbb6aa4ee79dac32f	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333138356335303030613732626262366161346565373964616333326603000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3185c50000e00000008000001a3185e24c00f00000008000000000000000010000000105460069cc994aa72c572cbe6762b34dd	2	1800000000000	1800000120000	1	1800000000000	\\xd8cdb40113c1f42138ebad02ca17bbec	userPIN	\\x690349ecfc6deaf4ebbf106cb8cf76d356f90604ae0e763d2df60b670fe09d90743b3fb8c25b8d400c137ebe6cbc5b49364edef42e47e84c6b238ab9d98174d00000001f636f756e7465727369676e206465636973696f6e2d65766964656e63652031d8cdb40113c1f42138ebad02ca17bbec000000200c96df809897debcf291fcf21513decda0d4cf6f91da467c968b6a15bf052719a50000000475736572000000000000000000000000000000000000000000000000
01a3185c5000cc21d36f9f38aeb6bae1	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333138356335303030636332316433366639663338616562366261653103000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3185c50000e00000008000001a3185e24c00f0000000800000000000000001000000010832db1cebcf045a094bca5d483383878	2	1800000000000	1800000120000	2	1800000000000	\\xd8cdb40113c1f42138ebad02ca17bbec	notMe	\\x3272881bf916e051d7b095e1c951697b1b14b9728c9d22a732531cc9b5fca212316cbe619175c7a5fc977adf7647722587671935a41c213496751c0f459cd8660000001f636f756e7465727369676e206465636973696f6e2d65766964656e63652031d8cdb40113c1f42138ebad02ca17bbec000000200d778e948cd21424fee66cfb4d87e548c03cb15ed8adf3eb28ea48aacae5320f5900000006646576696365000000000000000000000000000000000000000000000000
\.


--
-- Data for Name: attempts; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.attempts (device, id, made, fingerprint, verdict) FROM stdin;
\\xd8cdb40113c1f42138ebad02ca17bbec	\\xac88ab4ca647c8b59e09dc1bd9ba89d3	1800691200000	\\x16be9f44d09dcde00a7fdc1e90211c9c4d23a905f1b162b2256a1aac7610c058	wrong counted 4
\\xd8cdb40113c1f42138ebad02ca17bbec	\\x79df3b19988ab00c3f1119231b441a5f	1800691200000	\\x1158ba68ac1c80a57bd7646c138089b2ebe8ffc629f0367e961373d1638ab88e	accepted 01a3418f300002832b8afe4c3bf23ffc
\.


--
-- Data for Name: audit; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.audit (sequence, moment, actor, kind, enterprise, account_type, account_id, subject, detail, traces, hash) FROM stdin;
1	1800000000000	operator	enterprise.created	\N	\N	\N	bank		\\x0000000a02020000000462616e6b00000000000000204e0fc91590c1e47efba43945b1c0cf422f8180b2f5c8e8a2b240b20808379f39	\\x8648a5b51bce2e77f12472f5538b93195f7e7719e710a77bc1fe5b6214b92c00
2	1800000000000	operator	account.created	bank	main	4711	main/4711		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731310000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\x3633f16ece8c1e6835e0ee567c2426d475ab811354c4261e85379e84b91869c3
3	1800000000000	token:core	activation.issued	bank	main	4711	FDNAGEK11Q		\\x0000001004020000000a46444e4147454b31315100000000000000207a0899eae102ab86cc7dc66ffc2b03880fc735300df829992db80ba778e729c7	\\xd8ec095f85f015f2faac0645a8765f713d1d8c07dadc8bbb564eca89d065aa16
4	1800000000000	verifier	activation.claimed	bank	main	4711	FDNAGEK11Q		\\x	\\x9b6836f85b56e54c79735bdd55f0619a9485e878cc227300afc211d3ac4a05fc
5	1800000000000	device:d8cdb40113c1f42138ebad02ca17bbec	device.activated	bank	main	4711	d8cdb40113c1f42138ebad02ca17bbec	FDNAGEK11Q	\\x0000001004020000000a46444e4147454b313151000000207a0899eae102ab86cc7dc66ffc2b03880fc735300df829992db80ba778e729c7000000202c165d7803187e56d38d242a01dcba6a164ad8b7254879acc5e3d4b4d83d490a00000016050300000010d8cdb40113c1f42138ebad02ca17bbec0000000000000020cce4d72bca3208f79988088f0b7d81539616591e0e2a4b552f9ad6589a49273e0000001f060300000010d8cdb40113c1f42138ebad02ca17bbec01000000000000000100000000000000207a3caeaf28279ea682b559c340c66ca13670ccf37c5ba8077197951bd68d5df60000001f060300000010d8cdb40113c1f42138ebad02ca17bbec0100000000000000020000000000000020b5df9cb3e93af9fa884bfb148ea825065e16066e43bb03eea451f8b8a19d7f71	\\x8ce974303bcf6d12f147076479689a336d2613676d8415c14444d91959215598
6	1800000000000	token:core	device.token-added	bank	main	4711	01a3185c50006ec6939dfef9f20a50c9	A-1	\\x0000001605030000001001a3185c50006ec6939dfef9f20a50c90000000000000020b86ff05a71415f26e54cbbba03446c7f405b21f83edcc1ac99edce12642a892f0000001f06030000001001a3185c50006ec6939dfef9f20a50c90100000000000000020000000000000020ed89fcccc1c62984f91596846060d8b531e4eafdaff2e6fba8362bfca2f1ea2e	\\x5c2320975228da1c07df9e97c210291da054409c19c5d642d60f2bda26cb46a7
7	1800000000000	token:core	credential.code-accepted	bank	main	4711	0c07342ad7a4e78baaa737d4b94c1692		\\x0000001f06030000001001a3185c50006ec6939dfef9f20a50c901000000000000000200000020ed89fcccc1c62984f91596846060d8b531e4eafdaff2e6fba8362bfca2f1ea2e00000020fc2548cdc4c094016cb3c4b532361fb6bdffad64587c00b27f4ae465b69ee99b0000002f0e020000000462616e6b02000000203163383039616236643835316665396536666364386433323362373038333637000000000000002015747a72636544c6a40877825384e3e62a000c1ab5757993717f2feb078fdb81	\\xd5ef4e185090527971f6e4d3cd57ece2227a6e91b100ce80665d58a1c16a0c0f
8	1800000000000	token:core	transaction.created	bank	main	4711	01a3185c5000a72bbb6aa4ee79dac32f	notified	\\x00000026080200000020303161333138356335303030613732626262366161346565373964616333326600000000000000206b980bb1369399933dbc9dee1095528c37187551f98af978a8b96f6c33ec72e4	\\x6d4f58bf9f22639017fe6a997b952e4769875e88cafbeea66d572169065574dd
9	1800000000000	device:d8cdb40113c1f42138ebad02ca17bbec	transaction.approved	bank	main	4711	01a3185c5000a72bbb6aa4ee79dac32f	userPIN	\\x000000260902000000203031613331383563353030306137326262623661613465653739646163333266000000200831122728aa1f21ad9a5312d3a7d32d277d2db292558fda46074f9db824026700000020496479c6a70cea6258d197abac8f003e15d9b0c35ac1cb93a32519079b58b2f70000001f060300000010d8cdb40113c1f42138ebad02ca17bbec010000000000000001000000207a3caeaf28279ea682b559c340c66ca13670ccf37c5ba8077197951bd68d5df60000002044971ba8e4aabe0b891290f89b1c51c19512c1ad7f6c143a7c0fc5287dbb418b0000002b0b0300000010d8cdb40113c1f42138ebad02ca17bbec0300000010ca0f9882ee6fa28c31212bedcbd8fd130000000000000020935f1b33097e763a7299c1d25e9114716e0ba048f25c4a1e7877cdacaf890032	\\x48805e060253ca9efbbf62eb73db26368c4502b346fc8efdf08100923bf6b836
10	1800000000000	token:core	transaction.created	bank	main	4711	01a3185c5000cc21d36f9f38aeb6bae1	notified	\\x00000026080200000020303161333138356335303030636332316433366639663338616562366261653100000000000000200966d39652c443aa463019afa14a62ee11afbff3d360d230eb58d9186bf6e8c8	\\xc7548f0c8729bf14126b080556f1ac3cc8893300c58bf0d966f2a8a25696919f
11	1800000000000	device:d8cdb40113c1f42138ebad02ca17bbec	transaction.rejected	bank	main	4711	01a3185c5000cc21d36f9f38aeb6bae1	notMe	\\x000000260902000000203031613331383563353030306363323164333666396633386165623662616531000000200831122728aa1f21ad9a5312d3a7d32d277d2db292558fda46074f9db82402670000002043e2b27531690604c0d6a2bffd7adcef4d7701ac5389ac1cd57d19b5ed4c108f0000001c03020000000462616e6b02000000046d61696e02000000043437313100000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020f6ce95984293f911a8e66b5d77fa644456dacc80bdd5e7b8064ff12446560d0c	\\x3101415c112a45e04d8fa550d2bb6b5c2a99c0dc6da87f27cb49ea1c6741ebbc
12	1800000000000	device:d8cdb40113c1f42138ebad02ca17bbec	transaction.denied-by-person	bank	main	4711	01a3185c5000cc21d36f9f38aeb6bae1		\\x0000001f060300000010d8cdb40113c1f42138ebad02ca17bbec01000000000000000200000020b5df9cb3e93af9fa884bfb148ea825065e16066e43bb03eea451f8b8a19d7f7100000020c9d148a088dccfa6785fcb3bf7e58dc16a2071b19dbeea547e1e6029e05327610000002b0b0300000010d8cdb40113c1f42138ebad02ca17bbec0300000010d3e54fa204fd1ddab52cbe3a2b967cff0000000000000020f45ea3840b2c1c94d3f1d69eea343b6eca9c430d4a1f2c13f2556accd6cb2604	\\xb9a4c2a581896e50dfba67441afe2b589a798c8880b2e339a26b5e708d5183f4
13	1800000000000	token:core	account.created	bank	main	4712	main/4712		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731320000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\x5c8bfae9042cfe4e6f8bd5ec0718da5bb6612350fb81b3f3f0a29ded45dc353f
14	1800000000000	token:core	account.linked	bank	main	4711	main/4712		\\x0000001c03020000000462616e6b02000000046d61696e02000000043437313100000020f6ce95984293f911a8e66b5d77fa644456dacc80bdd5e7b8064ff12446560d0c000000206eda4f8d7ac52c84a80dd65674e1df15b4ec4bdc03fe0256f465d3a5730528fb0000001c03020000000462616e6b02000000046d61696e02000000043437313200000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020e080915e79b7001f168f252b4422c63f159a533f010c03d2b56f06a2a2f13efd	\\x8d099df53b9a7cfcbb59477e9f868cbab16d811560bde051745c2ee0b7f5f24f
15	1800000000000	token:core	activation.issued	bank	main	4712	25E2YVV616		\\x0000001004020000000a32354532595656363136000000000000002050bb71632e6aed3813108801f4cce47f350feb149d6faccb3399ef16c04009b6	\\xf84a1870e30ebf481d3c75b121332b56889575111259cab7c8162dd31ae5e973
16	1800000000000	verifier	activation.claimed	bank	main	4712	25E2YVV616		\\x	\\x10452591bfb11f5dee38b0b798fe309820377e9b1df7b5f7528e1d07c43f7746
17	1800000000000	device:da16ef329d12f043821f15113e9fb4eb	device.activated	bank	main	4712	da16ef329d12f043821f15113e9fb4eb	25E2YVV616	\\x0000001004020000000a323545325956563631360000002050bb71632e6aed3813108801f4cce47f350feb149d6faccb3399ef16c04009b600000020cc8d0c2305410560c547d0a1e3ddafc05d68bda65412a5a4575f63f263aa273700000016050300000010da16ef329d12f043821f15113e9fb4eb0000000000000020f84bef98621f3be41c563fe801b6b68866f0d4406796040ec2703d3e7f061ebf0000001f060300000010da16ef329d12f043821f15113e9fb4eb0100000000000000010000000000000020eedffcab051d0bbf746d0ef372a32dc4ecd3adc4fa8de27198283439008bfcaa0000001f060300000010da16ef329d12f043821f15113e9fb4eb0100000000000000020000000000000020f585619af785ed3ac205a12a799ad475b81216647c676d2528307a92f507357b	\\x2bf5866550f26e272007a96536e8615c79f70893d173085e8940f3a7ac96d613
18	1800000000000	device:da16ef329d12f043821f15113e9fb4eb	device.activated	bank	main	4711	1d6284bcc6c47e0432effcb726685df8	25E2YVV616	\\x000000160503000000101d6284bcc6c47e0432effcb726685df80000000000000020173843d66f4b45bf3675c8786910b140e12f53d9a26acac55ff6bccff59688fc0000001f0603000000101d6284bcc6c47e0432effcb726685df801000000000000000100000000000000208f57b524799bb343d08e765ff72b748980987e03db7b1776f93d0c4cc04f1dd60000001f0603000000101d6284bcc6c47e0432effcb726685df80100000000000000020000000000000020e9ed58d4066acf6d862c354702f72ae7b784185e2e6622e14afabe61809559bb	\\x78619fd42117c197fcd77f823828871eceb00865a1b8c2f77a21e48dd8173d53
19	1800000000000	token:core	account.created	bank	main	4714	main/4714		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731340000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119	\\x41259cf30e86827f3d2b65ad0ce4d53271f88eac85c245d8b7badc230afb8462
20	1800000000000	token:core	activation.issued	bank	main	4714	56B9XDWJGB		\\x0000001004020000000a353642395844574a474200000000000000201e66d9a48168c768afc67798b1e8017359b6fbb328f71be488b6fc221356ebd4	\\x0f6581fc33f3d59c06718f02dbf8817a3d08b9726a5083dbc755dd5e6b0f742d
21	1800000000000	verifier	activation.claimed	bank	main	4714	56B9XDWJGB		\\x	\\xe57f6fcee5a500032d27e9ab05df3de7f8651c59ff0169d83bc4d49ad14804c3
22	1800000000000	device:2e45db32ed1074ec3567cfe5ee193eda	device.activated	bank	main	4714	2e45db32ed1074ec3567cfe5ee193eda	56B9XDWJGB	\\x0000001004020000000a353642395844574a4742000000201e66d9a48168c768afc67798b1e8017359b6fbb328f71be488b6fc221356ebd4000000202b8b8df1e67f17d9b6742f0ebf810522131dca58f70b67867231cd62bc8e229f000000160503000000102e45db32ed1074ec3567cfe5ee193eda0000000000000020427a6bf45e8bebce21108ef7181def73b84525e4ad47597258bf49eda1d7f5850000001f0603000000102e45db32ed1074ec3567cfe5ee193eda01000000000000000100000000000000201e5009785a70fe596ad781c7cd7c211827695ae87c4d40598c5153b079c851110000001f0603000000102e45db32ed1074ec3567cfe5ee193eda01000000000000000200000000000000209e8c18ea484f0ca8454491fbccd890dd043295ea6ba9003e32b3801c7d177e98	\\x57f3e38ba20b928632cf44d549aaea7d7e1edf41fde4e73af39def6853335d6d
23	1800000000000	token:core	account.created	bank	main	4715	main/4715		\\x0000001c03020000000462616e6b02000000046d61696e0200000004343731350000000000000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b81119000000160503000000102e45db32ed1074ec3567cfe5ee193eda00000020427a6bf45e8bebce21108ef7181def73b84525e4ad47597258bf49eda1d7f5850000002011d79a340a0251e4c3683d269a2bdd11289c8d9956977d8d788c4db914cfa5620000001f0603000000102e45db32ed1074ec3567cfe5ee193eda010000000000000001000000201e5009785a70fe596ad781c7cd7c211827695ae87c4d40598c5153b079c85111000000201e5009785a70fe596ad781c7cd7c211827695ae87c4d40598c5153b079c85111	\\xa31554be9fb59facd7e030062809bd9c3b47d43a28180f85d9596a8b8ead538a
24	1800000000000	token:core	account.replaced	bank	main	4714	main/4715		\\x0000001f0603000000102e45db32ed1074ec3567cfe5ee193eda010000000000000002000000209e8c18ea484f0ca8454491fbccd890dd043295ea6ba9003e32b3801c7d177e98000000209e8c18ea484f0ca8454491fbccd890dd043295ea6ba9003e32b3801c7d177e980000001c03020000000462616e6b02000000046d61696e02000000043437313400000020df3f619804a92fdb4057192dc43dd748ea778adc52bc498ce80524c014b8111900000020696aea2db0b5fd3ff121430ba14fcb8f5611ef51f3be78041fa73d4787369a42	\\x122fe5bc99b4e42c165da0ec09270a00e114574873d511990d7c847ca0f2ef64
25	1800000000000	device:2e45db32ed1074ec3567cfe5ee193eda	credential.rekeyed	bank	main	4715	c5d5aaf0c64351b63c732aca68c67c45	1	\\x0000001f0603000000102e45db32ed1074ec3567cfe5ee193eda010000000000000001000000201e5009785a70fe596ad781c7cd7c211827695ae87c4d40598c5153b079c851110000002092b585635ad5f0393806b82a584b43dc3586586139935b04623c470d0a05e0830000002b0b03000000102e45db32ed1074ec3567cfe5ee193eda0300000010dbf9d70662b0cd074db6a3c1a0bc8d760000000000000020946f3632cfc3b95ae9ecade94198ebc8823b86744c55da54a86ae799d93f21b0	\\x6cfa9961a04e68ae54559ffaab27331cf540e4e5c23273b368517c4861182d15
26	1800691200000	device:d8cdb40113c1f42138ebad02ca17bbec	credential.code-refused	bank	main	4711	a9639ba03ac712fea534142e9eb89a57		\\x0000001f070300000010d8cdb40113c1f42138ebad02ca17bbec010000000000000001000000208fe73c51adc7fe99c2f9b7d4a3d7d3e60242dc69cda6dd9c40209f6854308c6c0000002025e141d81e5505ce69182b7d6d9e97ab45d4641b8c8417802c5b57cf9cfd86120000002b0b0300000010d8cdb40113c1f42138ebad02ca17bbec0300000010ac88ab4ca647c8b59e09dc1bd9ba89d30000000000000020c865401bab601afe094c554167612dc2aecb4d2877738973c7e278659bf21012	\\x804c7a3fb3a666004f948ebf47c9d6193ba9cecb2e8668a7177e7a01d4c2ebf8
27	1800691200000	device:d8cdb40113c1f42138ebad02ca17bbec	credential.code-accepted	bank	main	4711	a9639ba03ac712fea534142e9eb89a57	login	\\x000000260a0200000020303161333431386633303030303238333262386166653463336266323366666300000000000000202d405ce9fc18f4de8fa1c028e74b4aa803b54e92ec753445e5cc36ad838f86190000001f060300000010d8cdb40113c1f42138ebad02ca17bbec0100000000000000010000002044971ba8e4aabe0b891290f89b1c51c19512c1ad7f6c143a7c0fc5287dbb418b00000020a83c3ba45b1f45a4565db96678936b95943021dc565f2bb07918bccb99e227710000001f070300000010d8cdb40113c1f42138ebad02ca17bbec0100000000000000010000002025e141d81e5505ce69182b7d6d9e97ab45d4641b8c8417802c5b57cf9cfd86120000002026d113af9b4db7aef3d9fee16c7b1877f33e963d18c6dd1acd9fe7aa3bd6453e0000002b0b0300000010d8cdb40113c1f42138ebad02ca17bbec030000001079df3b19988ab00c3f1119231b441a5f00000000000000202a7b2f0f3adeab6978b9dc6689c8a1e820cf38272ba916fa4dcf85c4d6057f7a	\\xb7b7036334ca86199b68ea71cdaf2a22fb1fedb5061f60c49bcff6d1efc11923
28	1800691200000	token:core	activation.issued	bank	main	4712	XQD2QKCNCW		\\x0000001004020000000a58514432514b434e435700000000000000203e48fbfc184401809e2849a463ed9353aff2532cfbc83771c21bdc4b5fa8ccb6	\\xf36b194061d8c864a05456d06f8de23f210095ad06e10d113d9e983e62784bb2
29	1800691200000	token:core	transaction.created	bank	main	4711	01a3418f30009c960d8c20dfbe146011	notified	\\x0000002608020000002030316133343138663330303039633936306438633230646662653134363031310000000000000020fd32220098c9128b17e88a3984f92dd744b81ac2b4118f1411e656174c7aa6b2	\\x15e235147f0f53d72bcdc8fde54f2e115ce884b389c89d78d91579236bf7abf5
\.


--
-- Data for Name: bank_calls; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.bank_calls (enterprise, name, made, fingerprint, outcome) FROM stdin;
\.


--
-- Data for Name: bank_tokens; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.bank_tokens (id, secret_digest, name, enterprise, role, created, expiry, revoked) FROM stdin;
\.


--
-- Data for Name: countersign_commits; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.countersign_commits (writer, place, number) FROM stdin;
\.


--
-- Data for Name: countersign_store; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.countersign_store (id, version) FROM stdin;
1	3
\.


--
-- Data for Name: credentials; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.credentials (device, kind, id, generation, counter, standing, confirmed_in, seed, copy_noticed, counted_with, failures_in_a_row, locks_in_a_row, locked_until, blocked, failures) FROM stdin;
\\x01a3185c50006ec6939dfef9f20a50c9	2	\\x0c07342ad7a4e78baaa737d4b94c1692	0	4	1	0	\\x010000000156d71283697f21a29aef31336f2bee2d2c1e0bbb0253128120039f24823a7f58569ff835b120ae284030f3e328b63917	0	\N	0	0	\N	0	\\x
\\xd8cdb40113c1f42138ebad02ca17bbec	2	\\xad820361bba6b9c237defa3d2f621f61	0	1	1	0	\\x010000000107664c87350994f0eb90619c4124445bb7e28e8e257f7b32ca5e9e82cd4c90fd4b68b379e968bf21f8bc70cca1142b9c261f49f76f35e7c37c78e886	0	\N	0	0	\N	0	\\x
\\xda16ef329d12f043821f15113e9fb4eb	1	\\xbcf490f39032933887eef7ada8c1b3c9	0	0	1	0	\\x0100000001669625efe6dcdc622eaaca1e08f8068983553377902b73cf774f178c1ea742444beac432fd7f1e4bea6677d937e9c3b42aa26cba05593e88b4ee658e	0	\N	0	0	\N	0	\\x
\\xda16ef329d12f043821f15113e9fb4eb	2	\\x02066c8c5f51b5d4f923f29c7f313cd9	0	0	1	0	\\x01000000013d6c8825f07263f713616c74513be8e9a2d5a0efa084175194a702114b45fd1245cc46412980b0b7fd4cee53e3c6cabefc92155e1b9d4de98b6ac8d0	0	\N	0	0	\N	0	\\x
\\x1d6284bcc6c47e0432effcb726685df8	1	\\x09374e0f25054c2ee69786f3193162b9	0	0	1	0	\\x01000000017fa9532da83ede15525a40eb6a769f9b560761138a9176805275a00b507cc72497be753526f2b24a835a1d93be78b57146df1c648fbf54e52cf57ae9	0	\\xda16ef329d12f043821f15113e9fb4eb	0	0	\N	0	\\x
\\x1d6284bcc6c47e0432effcb726685df8	2	\\xce52e26c2c5fa9027bcb3bed86348c83	0	0	1	0	\\x0100000001474cb7888adf5a0867da883aee942bb6c3252f9ded2addd4d495de5ccd16808985c87d098eb1ebce556f77a88933ae8b2578fc1c127b5338ec906d8c	0	\N	0	0	\N	0	\\x
\\x2e45db32ed1074ec3567cfe5ee193eda	2	\\xf174c8c90c28d4d6fe854a4c6e46d721	0	0	1	0	\\x0100000001f0597f9f7103044140de1a3059a76d0e1915d143d80a336e2928e30c4f74a0206b31d84f5b1429295abbc4299658bec2f9f955d0b1879e0486a4a151	0	\N	0	0	\N	0	\\x
\\x2e45db32ed1074ec3567cfe5ee193eda	1	\\xc5d5aaf0c64351b63c732aca68c67c45	1	1	1	0	\\x0100000001165418503810f637e8fe04a81102e6e7f41f63c76cb9061f60585f646322322aacbe64be6d9465ea06fb3d81e45ce73281af3cc37f4b1bcb01d9acea	0	\N	0	0	\N	0	\\x
\\xd8cdb40113c1f42138ebad02ca17bbec	1	\\xa9639ba03ac712fea534142e9eb89a57	0	2	1	0	\\x0100000001fde9fffa944dd0fc4e3f8131d8694fea60804857a9e1dc74a7ece6858fb0ba679d7a4e69ba0876bc9be145d4a8c1b59ca7752fb04b87f16a678f60e8	0	\N	0	0	\N	0	\\x000001a3418f3000
\.


--
-- Data for Name: devices; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.devices (id, enterprise, account_type, account_id, public_key, token, name, standing, activated, notifications) FROM stdin;
\\xd8cdb40113c1f42138ebad02ca17bbec	bank	main	4711	\\x040264734dc8e6ef2ccc23dc3195737cf6f302f48fbf651a1a118ffa24cdd081e9726055121104f128122a74937663ff36bd402f77bff2b7e78f5da8b9d0da4625	\N	Phone	1	1800000000000	
\\x01a3185c50006ec6939dfef9f20a50c9	bank	main	4711	\N	HOTP-SHA1-6	A-1	1	1800000000000	
\\xda16ef329d12f043821f15113e9fb4eb	bank	main	4712	\\x0450aff34cda89b0d730d4e6a38a872f69eb1319f253b5ee5845177bc7eba165d25794e38758a54ef737bfe214ea90a6bae33fb1ab04eecce66e063be8fcd0ce91	\N	Phone	1	1800000000000	
\\x1d6284bcc6c47e0432effcb726685df8	bank	main	4711	\\x046f2fafb39115ec111716f65e1eb8457599aaa24527309a926bb6851ef4225baa3283f99657a9f65a5ebbe956eeda400baf6146e8103b81bc6f5dc1304473f3d5	\N	Phone	1	1800000000000	
\\x2e45db32ed1074ec3567cfe5ee193eda	bank	main	4715	\\x041f0892c6815944ddc8f8abcfb030cc760749adaad970a4e1d36f026b5a6479f48ccc7b480d689884a597cf720e1134b1f7d577798c14bcf9f7121ed2e7e4655f	\N	Phone	1	1800000000000	
\.


--
-- Data for Name: enterprises; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.enterprises (id, policy, policy_version) FROM stdin;
bank	{"minimumTokenDigits": 6}	1
\.


--
-- Data for Name: imports; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.imports (name, line, digest, accounts, tokens, rejected) FROM stdin;
\.


--
-- Data for Name: logins; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.logins (id, enterprise, account_type, account_id, device, type, data_digest, granted, redeemed) FROM stdin;
01a3418f300002832b8afe4c3bf23ffc	bank	main	4711	\\xd8cdb40113c1f42138ebad02ca17bbec	userPIN	\\x0707070707070707070707070707070707070707070707070707070707070707	1800691200000	\N
\.


--
-- Data for Name: outbox; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.outbox (sequence, target, device, enterprise, account_type, account_id, subject, tries, since, due, state) FROM stdin;
5	1	\\x	bank	main	4711	d8cdb40113c1f42138ebad02ca17bbec	0	1800000000000	1800000000000	0
9	1	\\x	bank	main	4711	01a3185c5000a72bbb6aa4ee79dac32f	0	1800000000000	\N	0
11	1	\\x	bank	main	4711	01a3185c5000cc21d36f9f38aeb6bae1	0	1800000000000	\N	0
12	1	\\x	bank	main	4711	01a3185c5000cc21d36f9f38aeb6bae1	0	1800000000000	\N	0
17	1	\\x	bank	main	4712	da16ef329d12f043821f15113e9fb4eb	0	1800000000000	1800000000000	0
18	1	\\x	bank	main	4711	1d6284bcc6c47e0432effcb726685df8	0	1800000000000	\N	0
22	1	\\x	bank	main	4714	2e45db32ed1074ec3567cfe5ee193eda	0	1800000000000	1800000000000	0
25	1	\\x	bank	main	4715	c5d5aaf0c64351b63c732aca68c67c45	0	1800000000000	1800000000000	0
\.


--
-- Data for Name: rejected_rows; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.rejected_rows (import, line, reason) FROM stdin;
\.


--
-- Data for Name: transactions; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.transactions (id, enterprise, account_type, account_id, canonical_bytes, accepted_authentication, created, deadline, number, state, closed, device, detail, evidence) FROM stdin;
01a3418f30009c960d8c20dfbe146011	bank	main	4711	\\x4353545801010000000462616e6b0200000020303161333431386633303030396339363064386332306466626531343630313103000000046d61696e04000000043437313105000000010106000000085472616e73666572070000000100080000000d014555520200000000000012670900000025010000000647726f63657200000016444538393337303430303434303533323031333030300a000000000b000000000c00000001020d00000008000001a3418f30000e00000008000001a3419104c00f00000008000000000000000010000000105c7da17869fc63b3f5a1e398d92506e3	2	1800691200000	1800691320000	\N	0	\N	\N	\N	\N
\.


--
-- Data for Name: verifier; Type: TABLE DATA; Schema: public; Owner: bank
--

COPY public.verifier (id, store, epoch, audit_sequence, audit_moment, audit_hash, fingerprint_key, least_key_version, is_copy) FROM stdin;
1	\\x301a2a12c82695a73a3a3841640c37de	0	29	1800691200000	\\x15e235147f0f53d72bcdc8fde54f2e115ce884b389c89d78d91579236bf7abf5	\\x0100000001d0254929b7dfa4d1b8b43b58e58fec8ffc61e01ef3fff6755faebd42aeb5530e6e6b102f5f7bebf6359315ae81010217596f5d932348f6c9f5e29c3d	0	0
\.


--
-- Name: accounts accounts_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (enterprise, type, id);


--
-- Name: activations activations_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.activations
    ADD CONSTRAINT activations_pkey PRIMARY KEY (id);


--
-- Name: archived_transactions archived_transactions_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.archived_transactions
    ADD CONSTRAINT archived_transactions_pkey PRIMARY KEY (id);


--
-- Name: attempts attempts_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.attempts
    ADD CONSTRAINT attempts_pkey PRIMARY KEY (device, id);


--
-- Name: audit audit_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.audit
    ADD CONSTRAINT audit_pkey PRIMARY KEY (sequence);


--
-- Name: bank_calls bank_calls_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_calls
    ADD CONSTRAINT bank_calls_pkey PRIMARY KEY (enterprise, name);


--
-- Name: bank_tokens bank_tokens_name_key; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_tokens
    ADD CONSTRAINT bank_tokens_name_key UNIQUE (name);


--
-- Name: bank_tokens bank_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_tokens
    ADD CONSTRAINT bank_tokens_pkey PRIMARY KEY (id);


--
-- Name: countersign_commits countersign_commits_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.countersign_commits
    ADD CONSTRAINT countersign_commits_pkey PRIMARY KEY (writer);


--
-- Name: countersign_store countersign_store_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.countersign_store
    ADD CONSTRAINT countersign_store_pkey PRIMARY KEY (id);


--
-- Name: credentials credentials_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_pkey PRIMARY KEY (device, kind);


--
-- Name: devices devices_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_pkey PRIMARY KEY (id);


--
-- Name: enterprises enterprises_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.enterprises
    ADD CONSTRAINT enterprises_pkey PRIMARY KEY (id);


--
-- Name: imports imports_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.imports
    ADD CONSTRAINT imports_pkey PRIMARY KEY (name);


--
-- Name: logins logins_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.logins
    ADD CONSTRAINT logins_pkey PRIMARY KEY (id);


--
-- Name: outbox outbox_pkey1; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey1 PRIMARY KEY (sequence, target, device);


--
-- Name: rejected_rows rejected_rows_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.rejected_rows
    ADD CONSTRAINT rejected_rows_pkey PRIMARY KEY (import, line);


--
-- Name: transactions transactions_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_pkey PRIMARY KEY (id);


--
-- Name: verifier verifier_pkey; Type: CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.verifier
    ADD CONSTRAINT verifier_pkey PRIMARY KEY (id);


--
-- Name: accounts_of_person; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX accounts_of_person ON public.accounts USING btree (enterprise, person) WHERE (person IS NOT NULL);


--
-- Name: activations_closed; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX activations_closed ON public.activations USING btree (closed) WHERE (closed IS NOT NULL);


--
-- Name: activations_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX activations_of_account ON public.activations USING btree (enterprise, account_type, account_id);


--
-- Name: activations_open; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX activations_open ON public.activations USING btree (deadline) WHERE (closed IS NULL);


--
-- Name: archived_transactions_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX archived_transactions_of_account ON public.archived_transactions USING btree (enterprise, account_type, account_id, created);


--
-- Name: attempts_made; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX attempts_made ON public.attempts USING btree (made);


--
-- Name: bank_calls_made; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX bank_calls_made ON public.bank_calls USING btree (made);


--
-- Name: credentials_counted_with; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX credentials_counted_with ON public.credentials USING btree (counted_with) WHERE (counted_with IS NOT NULL);


--
-- Name: devices_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX devices_of_account ON public.devices USING btree (enterprise, account_type, account_id);


--
-- Name: devices_revoked_tokens; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX devices_revoked_tokens ON public.devices USING btree (enterprise, name) WHERE ((token IS NOT NULL) AND (standing = 3));


--
-- Name: devices_tokens; Type: INDEX; Schema: public; Owner: bank
--

CREATE UNIQUE INDEX devices_tokens ON public.devices USING btree (enterprise, name) WHERE ((token IS NOT NULL) AND (standing <> 3));


--
-- Name: logins_granted; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX logins_granted ON public.logins USING btree (granted);


--
-- Name: outbox_dead; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_dead ON public.outbox USING btree (enterprise, sequence) WHERE (state = 2);


--
-- Name: outbox_delivered; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_delivered ON public.outbox USING btree (due) WHERE (state = 1);


--
-- Name: outbox_due; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_due ON public.outbox USING btree (target, due) WHERE ((state = 0) AND (due IS NOT NULL));


--
-- Name: outbox_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX outbox_of_account ON public.outbox USING btree (enterprise, account_type, account_id, target, sequence) WHERE (state = 0);


--
-- Name: transactions_closed; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX transactions_closed ON public.transactions USING btree (closed) WHERE (closed IS NOT NULL);


--
-- Name: transactions_of_account; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX transactions_of_account ON public.transactions USING btree (enterprise, account_type, account_id, created);


--
-- Name: transactions_pending; Type: INDEX; Schema: public; Owner: bank
--

CREATE INDEX transactions_pending ON public.transactions USING btree (deadline) WHERE (closed IS NULL);


--
-- Name: accounts accounts_enterprise_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_enterprise_fkey FOREIGN KEY (enterprise) REFERENCES public.enterprises(id);


--
-- Name: activations activations_enterprise_account_type_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.activations
    ADD CONSTRAINT activations_enterprise_account_type_account_id_fkey FOREIGN KEY (enterprise, account_type, account_id) REFERENCES public.accounts(enterprise, type, id);


--
-- Name: bank_tokens bank_tokens_enterprise_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.bank_tokens
    ADD CONSTRAINT bank_tokens_enterprise_fkey FOREIGN KEY (enterprise) REFERENCES public.enterprises(id);


--
-- Name: credentials credentials_device_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.credentials
    ADD CONSTRAINT credentials_device_fkey FOREIGN KEY (device) REFERENCES public.devices(id);


--
-- Name: devices devices_enterprise_account_type_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.devices
    ADD CONSTRAINT devices_enterprise_account_type_account_id_fkey FOREIGN KEY (enterprise, account_type, account_id) REFERENCES public.accounts(enterprise, type, id);


--
-- Name: rejected_rows rejected_rows_import_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.rejected_rows
    ADD CONSTRAINT rejected_rows_import_fkey FOREIGN KEY (import) REFERENCES public.imports(name);


--
-- Name: transactions transactions_enterprise_account_type_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: bank
--

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_enterprise_account_type_account_id_fkey FOREIGN KEY (enterprise, account_type, account_id) REFERENCES public.accounts(enterprise, type, id);


--
-- PostgreSQL database dump complete
--

\unrestrict CcTl8GfNTPvMumpDO7cfmtj5zihPyEvWEWNYPy3qRF7Fi3jBn46IGPnOcfbaG5H


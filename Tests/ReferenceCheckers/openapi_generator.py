"""The journey of a bank with the Python client of openapi-generator; prints "done"."""
import generators
import journey


class Client:
    def __init__(self, package, known):
        self.package = package
        self.known = known
        self.token = None

    def api(self, role):
        configuration = self.package.Configuration(
            host=self.known["origin"], ssl_ca_cert=self.known.get("authority"),
            access_token=self.known[role] if role else "none")
        return self.package.BankApi(self.package.ApiClient(configuration))

    def problem(self, name, *values, **role):
        """The problem document of a call that the verifier refuses."""
        try:
            getattr(self, name)(*values, **role)
        except self.package.ApiException as error:
            return error.data
        raise SystemExit(f"{name}{values} is accepted")

    def create_enterprise(self, enterprise, policy, token="administrator"):
        policy = self.package.Policy.from_dict(policy)
        return self.api(token).create_enterprise(enterprise, policy).id

    def policy_look_ahead(self, enterprise):
        return self.api("issuer").show_policy(enterprise).look_ahead

    def add_account(self, enterprise, account):
        return self.api("issuer").add_account(enterprise, "main", account)

    def issue_activation(self, enterprise, account, key):
        return self.api("issuer").issue_activation(
            enterprise=enterprise, account_type="main", account_id=account,
            new_activation=self.package.NewActivation(), idempotency_key=key)

    def list_activations(self, enterprise, account):
        return self.api("issuer").list_activations(enterprise, "main", account).activations

    def activation_text(self, enterprise, account, activation):
        return self.api("issuer").show_activation_text(enterprise, "main", account, activation)

    def list_devices(self, enterprise, account, token="issuer"):
        return self.api(token).list_devices(enterprise, "main", account).devices

    def request_transaction(self, enterprise, account, content, key):
        content = self.package.TransactionContent.from_dict(content)
        return self.api("issuer").request_transaction(
            enterprise=enterprise, account_type="main", account_id=account,
            transaction_content=content, idempotency_key=key)

    def show_transaction(self, enterprise, account, transaction, wait):
        return self.api("issuer").show_transaction(
            enterprise, "main", account, transaction, wait=wait)

    def withdraw(self, enterprise, account, transaction):
        self.api("issuer").withdraw_transaction(enterprise, "main", account, transaction)

    def list_transactions(self, enterprise, account, limit, before):
        return self.api("issuer").list_transactions(
            enterprise, "main", account, limit=limit, before=before)

    def following(self, page):
        return page.next

    def event(self, value):
        return self.package.WebhookEvent.from_dict(value)

    def read_problem(self, value):
        return self.package.BankProblem.from_dict(value)


journey.travel("openapi-generator", generators.openapi_generator, Client)
